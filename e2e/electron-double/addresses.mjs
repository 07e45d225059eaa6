const OWN = /^(https?|data|blob|about|javascript):/

/** Chromium's address for `url`. */
export function toWeb(url) {
  const parts = /^([a-z][\w+.-]*):\/\/([^/]*)(.*)$/i.exec(url)
  if (!parts || OWN.test(url)) return url
  const [, scheme, host, path] = parts
  return `https://${host || 'root'}.${scheme}.ed.invalid${path || '/'}`
}

/** The app's address for one of Chromium's. */
export function fromWeb(url) {
  return url.replace(/^https:\/\/([^/]+)\.([\w-]+)\.ed\.invalid/, (_all, host, scheme) =>
    scheme === 'file' ? 'file://' : `${scheme}://${host}`,
  )
}
