/** Largest message of a page to main over a socket, in bytes of UTF-8; main cuts the line at a larger one. */
export const MAX_REQUEST_BYTES = 8 * 1024 * 1024
