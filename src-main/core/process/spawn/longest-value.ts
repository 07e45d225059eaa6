/** The longest argument, or variable with its name, that Linux takes; in bytes. */
export const LONGEST_VALUE = 131_071

/** What helps where one is longer, as a sentence. */
export const TOO_LONG_HINT =
  'Shorten the value, or put it into a file and enter the path of the file.'
