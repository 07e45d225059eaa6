/** The pages of the server views.mjs. */
export function hostilePage(): string
