/**
 * The policy of the renderer under both ways in, as a header value: code and fonts from its own origin
 * only, and styles that carry `nonce` (base64). `connect` lists the origins it may talk to.
 */
export function contentSecurityPolicy(options: {
  readonly nonce: string
  readonly connect: readonly string[]
}): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${options.nonce}'`,
    "font-src 'self'",
    "img-src 'self' data: blob:",
    // What a server sends is shown from bytes that the page itself holds; no address elsewhere can be a blob.
    'media-src blob:',
    `connect-src ${options.connect.length > 0 ? options.connect.join(' ') : "'none'"}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
