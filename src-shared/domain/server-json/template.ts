const PLACEHOLDER = /\{([^{}]+)\}/g

/** Returns every `{name}` in a text, declared or not. */
export function placeholders(text: string | undefined): string[] {
  return Array.from((text ?? '').matchAll(PLACEHOLDER), (match) => match[1] ?? '')
}

/** Replaces each `{name}` once, left to right, by the result of `resolve`; undefined leaves it unchanged. */
export function fillTemplate(
  template: string,
  resolve: (name: string) => string | undefined,
): string {
  return template.replace(PLACEHOLDER, (whole, name: string) => resolve(name) ?? whole)
}
