import type { JsonObject } from '../json-object'
import { namesSecret } from '../secret-name'
import { parseInputs } from './parse-input'
import type { InputVariable, KeyValueInput } from './server-json'
import { placeholders } from './template'
import type { TolerantReader } from './tolerant-reader'

type Variables = Readonly<Record<string, InputVariable>>

/** A placeholder name; `{"a": 1}` is none. */
const NAME = /^[A-Za-z_][\w.-]{0,99}$/
/** Deliberately broad: a wrongly secret value is better than a secret in a file. */
const SECRET_WORD = /key|token|secret|password/i
/** A variable as shells write it: the dollar is no part of the value. */
const SHELL_VARIABLE = /\$\{([^{}]+)\}/g

/** A template and the names of the variables that it uses without declaring them. */
type ImpliedVariables = {
  readonly template: string
  readonly variables: Variables | undefined
  readonly added: readonly string[]
}

/**
 * Declares the variables of a header or address template that its entry does not declare: nine of ten real headers with a brace have no
 * `variables`, and none of them means a literal brace. `asSecret` makes all of them secret; otherwise their names decide.
 */
function withImpliedVariables(
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

/** RFC 9110, a token. */
const FIELD_NAME = /^[\w!#$%&'*+.^`|~-]+$/

/** Reads a list of headers; an undeclared placeholder of a value becomes an input. */
export function parseHeaders(
  reader: TolerantReader,
  source: JsonObject,
  path: string,
): KeyValueInput[] {
  const headers = parseInputs(reader, source, 'headers', path, (name) =>
    FIELD_NAME.test(name) ? undefined : 'Invalid header name.',
  )
  return headers.map((header) => {
    if (header.value === undefined) return header
    const { template, variables, added } = withImpliedVariables(header.value, header.variables, {
      isRequired: header.isRequired === true,
      asSecret: header.isSecret ?? namesSecret(header.name),
    })
    reportImplied(reader, `${path}headers.${header.name}`, added)
    return { ...header, value: template, variables: variables && { ...variables } }
  })
}

/** Adds a notice for each placeholder without a declaration. */
function reportImplied(reader: TolerantReader, path: string, added: readonly string[]): void {
  for (const name of added) {
    const message = `Undeclared variable {${name}}. The form asks for it.`
    reader.setAside(`${path}.variables.${name}`, 'implied-variable', message)
  }
}

/** Reads an address with its variables; an undeclared one becomes a required input. */
export function addressTemplate(
  reader: TolerantReader,
  url: string,
  variables: Readonly<Record<string, InputVariable>> | undefined,
  path: string,
): { url: string; variables: Record<string, InputVariable> | undefined } {
  const rule = { isRequired: true, asSecret: false }
  const implied = withImpliedVariables(url, variables, rule)
  reportImplied(reader, path, implied.added)
  return { url: implied.template, variables: implied.variables && { ...implied.variables } }
}
