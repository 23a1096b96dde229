//! A check that tags are balanced, by a reader of its own that knows just enough of HTML and XML.

/// Elements of HTML that have no end tag.
const VOID: [&str; 3] = ["meta", "br", "hr"];

/// Every start tag as `(name, attributes)`.
///
/// # Panics
/// If an end tag does not match the start tag it should close, or a tag is left open.
pub(crate) fn balanced(text: &str) -> Vec<(String, String)> {
    let mut open: Vec<String> = Vec::new();
    let mut tags = Vec::new();
    let mut rest = text.trim_start_matches("<!DOCTYPE html>");
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "before {rest:.80}");
            continue;
        }
        let (name, attributes) = tag.split_once([' ', '\n']).unwrap_or((tag, ""));
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "<{tag}>");
        assert_eq!(attributes.matches('"').count() % 2, 0, "<{tag}>");
        tags.push((name.trim_end_matches('/').to_owned(), attributes.to_owned()));
        if !attributes.ends_with('/') && !VOID.contains(&name) {
            open.push(name.to_owned());
        }
        if name == "style" {
            rest = &rest[rest.find("</style>").expect("the style ends")..];
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
    tags
}

#[test]
fn balanced_tags_are_read() {
    let tags = balanced("<p class=\"a\">1 &lt; 2<br><b>x</b></p>");
    assert_eq!(tags[0], ("p".to_owned(), "class=\"a\"".to_owned()));
    assert_eq!(tags.len(), 3);
}

#[test]
#[should_panic(expected = "left == right")]
fn crossing_tags_are_found() {
    balanced("<p><b></p></b>");
}

#[test]
#[should_panic(expected = "left open")]
fn an_open_tag_is_found() {
    balanced("<p><b></b>");
}
