//! What leaves the page and what comes to it: links, files, exports, frames, kept work.

pub mod embed;
pub mod export;
pub mod import;
pub mod link;
pub mod recent;
