//! Promotions put into force as colocated items. (being built)
