/** A place that a user chose for a secret instead of typing it. */
export type ChosenPlace =
  | { readonly kind: 'stored'; readonly secretId: string }
  | { readonly kind: 'environment'; readonly name: string }

const VARIABLE = '$'

/** A chosen place as one text: the id of a stored secret, or `$NAME` of a variable of this computer. */
export function choiceOf(place: ChosenPlace): string {
  return place.kind === 'stored' ? place.secretId : `${VARIABLE}${place.name}`
}

/** The place that a choice names. */
export function placeOfChoice(choice: string): ChosenPlace {
  return choice.startsWith(VARIABLE)
    ? { kind: 'environment', name: choice.slice(VARIABLE.length) }
    : { kind: 'stored', secretId: choice }
}

/** Whether a choice is a variable of this computer. */
export function isVariableChoice(choice: string | null): choice is string {
  return choice?.startsWith(VARIABLE) === true
}
