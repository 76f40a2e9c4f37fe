//! Where the playhead's line is left out: at marks, beliefs, handles and labels, and below a fence.
//! Found anew on every frame, of boxes that the layout knows.

use super::TimelineLayout;
use crate::view_model::drawing::path::Rect;
use crate::view_model::drawing::scale::Px;

impl TimelineLayout {
    /// The pieces of the playhead's line at a place, from top to bottom.
    pub fn line_at(&self, x: Px) -> Vec<(Px, Px)> {
        let air = Px::whole(2);
        let meets = |left: Px, right: Px| left <= x + air && x <= right + air;
        let mut gaps = Vec::new();
        let mut gap = |rect: Rect, top: Px| {
            if meets(rect.x, rect.x + rect.w) {
                gaps.push((top + rect.y - air, top + rect.y + rect.h + air));
            }
        };
        for lane in self.sections.iter().flat_map(|section| &section.lanes) {
            lane.data.blocks.iter().for_each(|rect| gap(*rect, lane.top));
        }
        self.labels.texts.iter().for_each(|label| gap(label.rect, Px::ZERO));
        for fault in &self.faults {
            for at in [Some(fault.x), fault.end].into_iter().flatten() {
                let (half, height) = (Px::whole(6), Px::whole(28).min(fault.bottom - fault.y));
                let y = Px((fault.y.0 + fault.bottom.0) / 2) - Px(height.0 / 2);
                gap(Rect { x: at - half, y, w: half + half, h: height }, Px::ZERO);
            }
        }
        gaps.sort_unstable();
        let mut pieces = Vec::new();
        let mut from = self.metrics.ruler() - self.metrics.px(8);
        for (top, bottom) in gaps {
            if top > from {
                pieces.push((from, top));
            }
            from = from.max(bottom);
        }
        if from < self.height {
            pieces.push((from, self.height));
        }
        pieces
    }
}
