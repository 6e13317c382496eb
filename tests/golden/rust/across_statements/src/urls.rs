pub(crate) fn truck(base: &Url, id: &str) -> Result<Url, Error> {
    let mut url = base.join("trucks")?;
    url.path_segments_mut().unwrap().push(id).push("");
    if id.contains('/') { Err(Error::Name) } else { Ok(url) }
}
