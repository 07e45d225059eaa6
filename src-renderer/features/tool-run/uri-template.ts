import { UriTemplate } from '@modelcontextprotocol/client'

/** A template of addresses (RFC 6570): what is to be filled in, and the address that this makes. */
export type ReadTemplate = {
  readonly names: readonly string[]
  /** The address with these values; those that are empty are left out. Throws what is wrong with a value. */
  readonly expand: (values: Readonly<Record<string, string>>) => string
}

/** Names as RFC 6570 has them; with anything else in it, an expression has an operator or modifier that is not known. */
const NAME = /^[\w.%]+$/u

/** Reads a template; undefined where it is none, or uses what cannot be expanded here, such as `{;x}` and `{x:3}`. */
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
