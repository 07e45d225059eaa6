/** Longer texts are not read as Markdown, in UTF-16 units. */
export const MOST_MARKDOWN = 64_000
