import { UriTemplate } from '@modelcontextprotocol/client'

/** A URI template (RFC 6570): its variables, and the expansion. */
export type ReadTemplate = {
  readonly names: readonly string[]
  /** Returns the address with these values, without empty ones. Throws if a value is invalid. */
  readonly expand: (values: Readonly<Record<string, string>>) => string
}

/** Variable names by RFC 6570. Any other character in an expression is an unsupported operator or modifier. */
const NAME = /^[\w.%]+$/u

/** Parses a template; undefined if it is invalid or unsupported, such as `{;x}` and `{x:3}`. */
export function readTemplate(template: string): ReadTemplate | undefined {
  try {
    const read = new UriTemplate(template)
    const names = [...new Set(read.variableNames)]
    if (!names.every((name) => NAME.test(name))) return undefined
    return {
      names,
      expand: (values) =>
        read.expand(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))),
    }
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}
