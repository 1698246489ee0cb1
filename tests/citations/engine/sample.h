// SPDX-License-Identifier: MIT
/// Known: [H96 §7], erratum E7. Not known: [H96 §2,
/// Q42], erratum E25. Without a tag: [H96 §1, Someone 1999]. No citation: F10.
