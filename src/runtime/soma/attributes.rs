//! `pool_set` and `pool_get` (5.15).

use super::pool::Pool;
use super::{PoolId, Pools};
use crate::model::machine::Product;
use crate::model::trace::PoolAttribute;
use crate::runtime::context::Context;
use crate::runtime::status::{Refused, Status};

impl Pools {
    /// Sets an attribute. Policies take 0 and everything else as 1; high-water marks take only 0,
    /// which is also what they become (Q-SOMA-7).
    ///
    /// # Errors
    /// `PoolNull` without the pool; `PoolUnsupported` for a pool that is shared; `PoolPropInvalid` for
    /// an attribute that does not exist or cannot be set, and for a value out of bounds;
    /// `FeatureNotSupport` on machines without attributes (Q-SOMA-10).
    pub fn set(
        &mut self,
        cx: &mut Context<'_>,
        id: PoolId,
        attribute: PoolAttribute,
        value: u64,
    ) -> Result<(), Refused> {
        let pool = self.with_attributes(cx, id)?;
        let invalid = |why: String| Err(Refused::new(Status::PoolPropInvalid, why));
        match attribute {
            PoolAttribute::FollowEvent => pool.follow_event = value != 0,
            PoolAttribute::Opportunistic => pool.opportunistic = value != 0,
            PoolAttribute::Internal => pool.internal = value != 0,
            PoolAttribute::Threshold => {
                threshold_fits(cx, value, pool.max, pool.granule)?;
                pool.threshold = value;
            }
            PoolAttribute::ReservedHigh | PoolAttribute::UsedHigh if value != 0 => {
                return invalid(format!("a high-water mark can only be set to 0, not to {value}"));
            }
            PoolAttribute::ReservedHigh => pool.reserved_high = 0,
            PoolAttribute::UsedHigh => pool.used_high = 0,
            PoolAttribute::ReservedCurrent | PoolAttribute::UsedCurrent => {
                return invalid("the attribute can only be read".to_owned());
            }
            PoolAttribute::Unknown(number) => return invalid(no_such(number)),
        }
        Ok(())
    }

    /// Reads an attribute: bytes, or 0 and 1.
    ///
    /// # Errors
    /// As for [`set`](Self::set).
    pub fn get(
        &mut self,
        cx: &mut Context<'_>,
        id: PoolId,
        attribute: PoolAttribute,
    ) -> Result<u64, Refused> {
        let pool = self.with_attributes(cx, id)?;
        Ok(match attribute {
            PoolAttribute::FollowEvent => u64::from(pool.follow_event),
            PoolAttribute::Opportunistic => u64::from(pool.opportunistic),
            PoolAttribute::Internal => u64::from(pool.internal),
            PoolAttribute::Threshold => pool.threshold,
            PoolAttribute::ReservedCurrent => pool.reserved,
            PoolAttribute::ReservedHigh => pool.reserved_high,
            PoolAttribute::UsedCurrent => pool.used,
            PoolAttribute::UsedHigh => pool.used_high,
            PoolAttribute::Unknown(number) => {
                return Err(Refused::new(Status::PoolPropInvalid, no_such(number)));
            }
        })
    }

    fn with_attributes(&mut self, cx: &Context<'_>, id: PoolId) -> Result<&mut Pool, Refused> {
        Self::supported(cx)?;
        Self::attributes_supported(cx)?;
        let pool = self.alive_mut(id)?;
        if pool.ipc {
            return Err(Self::shared());
        }
        Ok(pool)
    }

    pub(super) fn attributes_supported(cx: &Context<'_>) -> Result<(), Refused> {
        if cx.machine.capabilities.soma_attributes {
            return Ok(());
        }
        let why = "pools of this machine have no attributes";
        Err(Refused::new(Status::FeatureNotSupport, why))
    }

    pub(super) fn shared() -> Refused {
        let why = "a pool that is shared with other processes has no attributes";
        Refused::new(Status::PoolUnsupported, why)
    }
}

fn no_such(number: u32) -> String {
    format!("there is no attribute {number}")
}

/// A threshold is at most the pool; the driver of the 950 wants whole granules.
pub(super) fn threshold_fits(
    cx: &Context<'_>,
    threshold: u64,
    max: u64,
    granule: u64,
) -> Result<(), Refused> {
    let why = if threshold > max {
        format!("a threshold of {threshold} bytes for a pool of {max}")
    } else if cx.machine.product == Product::P950 && !threshold.is_multiple_of(granule) {
        format!("a threshold of {threshold} bytes is not a multiple of {granule}")
    } else {
        return Ok(());
    };
    Err(Refused::new(Status::PoolPropInvalid, why))
}
