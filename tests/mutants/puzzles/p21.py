"""Wrong ops of puzzle 21: what lies past the end, and places taken for one another."""

__all__ = ["EDITS"]

_PLACE = "if batch_seq_idx >= batch_size * seq_len or embed_idx >= embed_dim:"

EDITS = {
    ("p21", 0): [
        ("no-end-of-elements", "if global_idx >= batch_size * seq_len * embed_dim:", "if global_idx < 0:"),
        ("rows-as-long-as-sequences", "divmod(global_idx, embed_dim)", "divmod(global_idx, seq_len)"),
        ("no-end-of-rows", _PLACE, _PLACE.replace(" or embed_idx >= embed_dim", "")),
        ("sequences-as-long-as-batches", "divmod(batch_seq_idx, seq_len)", "divmod(batch_seq_idx, batch_size)"),
    ],
}
