/** The levels of a line, the least first. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const

/** Most rows of one answer. */
export const MOST_LOG_ROWS = 5_000
