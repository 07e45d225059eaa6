/** The pages of the server views.mjs. */
export function hostilePage(limitMs?: number): string
