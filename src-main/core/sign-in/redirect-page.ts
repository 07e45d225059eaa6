import { createHash } from 'node:crypto'

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem;color-scheme:light dark}'
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** The page that a browser shows after a sign-in; both are plain text. */
export function redirectPage(title: string, text: string): string {
  const [heading, words] = [title, text].map(escaped)
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${heading}</title><style>${STYLE}</style><h1>${heading}</h1><p>${words}</p></html>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** Nothing may be loaded, framed, kept or told to other pages: the address holds the answer of the sign-in. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  connection: 'close',
}
