import type { Argument, InputVariable, KeyValueInput } from '../domain/server-json/server-json'
import { placeholders } from '../domain/server-json/template'

/** One declared `{name}` of a template. */
export type TemplateVariable = { readonly name: string; readonly variable: InputVariable }

/** Returns the declared variables in the fixed value of an input, in order, each once. */
export function templateVariables(input: Argument | KeyValueInput): TemplateVariable[] {
  const declared = input.variables ?? {}
  const names = new Set(placeholders(input.value))
  return [...names].flatMap((name) => {
    const variable = Object.hasOwn(declared, name) ? declared[name] : undefined
    return variable === undefined ? [] : [{ name, variable }]
  })
}

/** Whether an input has a fixed value that no one may edit; an empty text counts. */
export function isFixed(input: InputVariable): boolean {
  return input.value !== undefined
}

/** Whether an argument is a switch that is always passed: a named argument with nothing but a name. */
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
    ].every((value) => value === undefined) &&
    !argument.isRequired &&
    !argument.isSecret &&
    !argument.isRepeated
  )
}
