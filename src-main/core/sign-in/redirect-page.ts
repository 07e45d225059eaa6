import { createHash } from 'node:crypto'

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem;color-scheme:light dark}'
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** The page that a browser shows after a sign-in; both texts are Patchbay's own. */
export function redirectPage(title: string, text: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><style>${STYLE}</style><h1>${title}</h1><p>${text}</p></html>`
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
