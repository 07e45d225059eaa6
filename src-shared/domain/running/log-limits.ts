/** Levels of a line, lowest first. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const

/** Maximum number of rows in one response. */
export const MAX_LOG_ROWS = 5_000
