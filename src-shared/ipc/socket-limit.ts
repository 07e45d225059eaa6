/** Maximum message size from a page to main over a socket, in bytes of UTF-8; main closes the connection on a larger one. */
export const MAX_REQUEST_BYTES = 8 * 1024 * 1024
