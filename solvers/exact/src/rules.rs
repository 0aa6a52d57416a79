//! The inferences of the search, each with a switch.

/// Which inferences are on. Any subset gives the same optimum, only with more nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Greedy packings first, as incumbents.
    pub greedy: bool,
    /// Upper offsets move down with what is decided (without it only the capacity limits them).
    pub tails: bool,
    /// Orders that the offsets have made impossible are struck out.
    pub filter: bool,
    /// Per set of items that conflict pairwise: their bytes need one after the other's room.
    pub sections: bool,
    /// Interchangeable items are packed in the order of their numbers.
    pub symmetry: bool,
    /// Pairs that failed often are decided first, and the search starts over now and then.
    pub restarts: bool,
    /// Parts that share no pair are solved one by one.
    pub components: bool,
    /// The lower bound is tried before anything between it and the incumbent.
    pub bound_first: bool,
    /// A pair whose cost is too much is kept apart, one that must overlap is paid at once.
    pub prices: bool,
    /// Promotions are first refuted without the undecided singles.
    pub relax: bool,
    /// Items with one span and no relations are packed niche by niche, from the bottom up.
    pub niche: bool,
    /// Niches: everybody in a section lies one over the other, each at or above its least offset.
    pub release: bool,
    /// Niches: who encloses in time all that it meets goes to the bottom at once.
    pub containment: bool,
    /// Niches: items lie on something, so what is raised is raised by a whole item.
    pub supports: bool,
    /// Niches: what had no packing is not looked at again.
    pub memo: bool,
    /// Costs: crowds that have to pay are counted first.
    pub covers: bool,
    /// Costs: cheap packings are looked for by moving one item at a time.
    pub moves: bool,
}

impl Rules {
    /// How many switches there are.
    pub const COUNT: u32 = 17;

    /// The rules whose bits are set in `mask`, in the order of the fields.
    pub fn from_mask(mask: u32) -> Self {
        let on = |bit: u32| mask >> bit & 1 == 1;
        Self {
            greedy: on(0),
            tails: on(1),
            filter: on(2),
            sections: on(3),
            symmetry: on(4),
            restarts: on(5),
            components: on(6),
            bound_first: on(7),
            prices: on(8),
            relax: on(9),
            niche: on(10),
            release: on(11),
            containment: on(12),
            supports: on(13),
            memo: on(14),
            covers: on(15),
            moves: on(16),
        }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::from_mask(u32::MAX)
    }
}
