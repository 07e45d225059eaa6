import type { Argument, InputVariable, KeyValueInput } from '../domain/server-json'

const PLACEHOLDER = /\{([^{}]+)\}/g

/** One declared `{name}` of a template. */
export type TemplateVariable = { readonly name: string; readonly variable: InputVariable }

/** The declared variables that the fixed value of an input names, in order, each once. */
export function templateVariables(input: Argument | KeyValueInput): TemplateVariable[] {
  const declared = input.variables ?? {}
  const names = new Set(placeholders(input.value))
  return [...names].flatMap((name) => {
    const variable = Object.hasOwn(declared, name) ? declared[name] : undefined
    return variable === undefined ? [] : [{ name, variable }]
  })
}

/** Every `{name}` in a text, declared or not. */
export function placeholders(text: string | undefined): string[] {
  return Array.from((text ?? '').matchAll(PLACEHOLDER), (match) => match[1] ?? '')
}

/** Replaces each `{name}` once, left to right, by what `resolve` gives; undefined leaves it as it is. */
export function fillTemplate(
  template: string,
  resolve: (name: string) => string | undefined,
): string {
  return template.replace(PLACEHOLDER, (whole, name: string) => resolve(name) ?? whole)
}

/** True for a fixed value that no one may edit; an empty one counts as none. */
export function isFixed(input: InputVariable): boolean {
  return input.value !== undefined && input.value !== ''
}

/** True for a switch that is always passed: a named argument of which nothing but its name is said. */
export function isBareFlag(argument: Argument): boolean {
  return (
    argument.type === 'named' &&
    !isFixed(argument) &&
    [
      argument.description,
      argument.default,
      argument.placeholder,
      argument.choices,
      argument.format,
    ].every((said) => said === undefined) &&
    !argument.isRequired &&
    !argument.isSecret &&
    !argument.isRepeated
  )
}
