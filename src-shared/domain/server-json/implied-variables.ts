import { namesSecret } from '../secret-name'
import type { InputVariable } from './server-json'
import { placeholders } from './template'

type Variables = Readonly<Record<string, InputVariable>>

/** A brace that stands for something to fill in; `{"a": 1}` does not. */
const NAME = /^[A-Za-z_][\w.-]{0,99}$/
/** Rather one secret too many than one in a file. */
const SECRET_WORD = /key|token|secret|password/i
/** As shells write a variable: the dollar is no part of the value. */
const SHELL_VARIABLE = /\$\{([^{}]+)\}/g

/** A template with the variables that it names without declaring them; `added` are their names. */
export type ImpliedVariables = {
  readonly template: string
  readonly variables: Variables | undefined
  readonly added: readonly string[]
}

/**
 * Declares what a template of a header or an address names and its entry does not: nine of ten real
 * headers with a brace have no `variables`, and none of them means the brace itself. `asSecret` makes all of
 * them secret; otherwise their names say so.
 */
export function withImpliedVariables(
  template: string,
  declared: Variables | undefined,
  rule: { readonly isRequired: boolean; readonly asSecret: boolean },
): ImpliedVariables {
  const missing = [...new Set(placeholders(template))].filter(
    (name) => NAME.test(name) && name !== '__proto__' && !Object.hasOwn(declared ?? {}, name),
  )
  if (missing.length === 0) return { template, variables: declared, added: [] }
  const names = new Set(missing)
  const implied = missing.map((name): [string, InputVariable] => [
    name,
    {
      isRequired: rule.isRequired,
      isSecret: rule.asSecret || SECRET_WORD.test(name) || namesSecret(name),
    },
  ])
  return {
    template: template.replace(SHELL_VARIABLE, (whole, name: string) =>
      names.has(name) ? `{${name}}` : whole,
    ),
    variables: { ...declared, ...Object.fromEntries(implied) },
    added: missing,
  }
}
