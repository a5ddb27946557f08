//! Logical structure of a document, for screen readers.

use krilla::tagging::{Identifier, Node, TagGroup, TagKind, TagTree};

/// A text or the QR code in the structure. It can be drawn in several parts, such as lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Leaf(usize);

/// Part of the structure. Parts are in reading order.
pub(crate) enum Branch {
    Group(TagKind, Vec<Branch>),
    Leaf(Leaf),
}

/// Structure that is being built: its branches, and the number of leaves so far.
#[derive(Default)]
pub(crate) struct Structure {
    branches: Vec<Branch>,
    leaves: usize,
}

/// For each leaf: identifiers of its parts that were drawn.
pub(crate) struct DrawnLeaves(Vec<Vec<Identifier>>);

impl Structure {
    pub(crate) fn leaf(&mut self) -> Leaf {
        self.leaves += 1;
        Leaf(self.leaves - 1)
    }

    pub(crate) fn push(&mut self, tag: impl Into<TagKind>, children: Vec<Branch>) {
        self.branches.push(Branch::group(tag, children));
    }

    pub(crate) fn nothing_drawn(&self) -> DrawnLeaves {
        DrawnLeaves(vec![Vec::new(); self.leaves])
    }

    /// PDF tag tree of the document. Leaves that were not drawn are left out.
    pub(crate) fn tag_tree(self, drawn: &DrawnLeaves) -> TagTree {
        let mut tree = TagTree::new().with_lang(Some("en".to_owned()));
        self.branches.into_iter().flat_map(|branch| branch.nodes(drawn)).for_each(|node| tree.push(node));
        tree
    }
}

impl Branch {
    pub(crate) fn group(tag: impl Into<TagKind>, children: Vec<Branch>) -> Branch {
        Branch::Group(tag.into(), children)
    }

    fn nodes(self, drawn: &DrawnLeaves) -> Vec<Node> {
        match self {
            Branch::Leaf(Leaf(index)) => drawn.0[index].iter().cloned().map(Node::Leaf).collect(),
            Branch::Group(tag, children) => {
                let children = children.into_iter().flat_map(|child| child.nodes(drawn)).collect();
                vec![Node::Group(TagGroup { tag, children })]
            }
        }
    }
}

impl DrawnLeaves {
    pub(crate) fn add(&mut self, Leaf(index): Leaf, identifier: Identifier) {
        self.0[index].push(identifier);
    }
}
