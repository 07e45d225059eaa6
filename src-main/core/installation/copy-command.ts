import { randomUUID } from 'node:crypto'

import type { ShellKind, ShellText } from '../../../src-shared/domain/installation/command-text'
import { type SecretPlaces, valueCount } from '../../../src-shared/domain/installation/secret-place'
import type { FieldValues } from '../../../src-shared/domain/server-json/field-values'
import type { Offer } from '../../../src-shared/domain/server-json/offer'
import type { FormField } from '../../../src-shared/form/form-field'
import { joinSecretList } from '../../../src-shared/form/secret-list'
import { fieldsOfOffer } from '../../../src-shared/form/to-form-fields'
import { buildLaunchPlan } from '../launch/building/build-launch-plan'
import { shellText } from '../launch/command-text/quoted-text'
import { type ShellWord, variableNames, wordText } from '../launch/command-text/quoted-word'
import type { RemotePlan } from '../launch/plan/launch-plan'
import { placeSecrets, splitSecrets } from './secrets/move-secrets'

/** The command to copy: an offer with typed values, its saved secrets, and its own folder. */
export type CopiedCommand = {
  readonly offer: Offer
  readonly values: FieldValues
  readonly secrets: SecretPlaces
  /** Empty or absent for the home folder, which is omitted. */
  readonly cwd?: string | undefined
}

/**
 * Formats the command for a shell, with variables for all secrets; a remote is JSON for every shell. Throws UNSUPPORTED_PACKAGE, and
 * NOT_AVAILABLE_HERE for anything that the shell can't express.
 */
export function copyCommand(
  { offer, values, secrets: places, cwd }: CopiedCommand,
  shell: ShellKind,
): ShellText {
  const fields = fieldsOfOffer(offer)
  const split = splitSecrets(fields, values)
  const resolved = placeSecrets(fields, places, split)
  const marks = markSecrets(fields, resolved)
  const plan = buildLaunchPlan(offer, split.plain, marks.secrets)
  const toWord = (text: string): ShellWord => withVariables(text, marks)
  if (plan.kind === 'remote') return remoteText(plan, toWord)
  const folder = cwd?.trim() ?? ''
  return shellText(shell, {
    command: plan.command,
    args: plan.args.map(({ value }) => toWord(value)),
    env: plan.env.map(({ name, value }) => ({ name, word: toWord(value) })),
    cwd: folder === '' ? undefined : folder,
  })
}

/** Markers that replace the secrets of a plan. */
type SecretMarks = {
  /** Part of every marker, so that it differs from any other text. */
  readonly nonce: string
  /** Markers by field key, as secrets for building the plan. */
  readonly secrets: ReadonlyMap<string, string>
  /** Shell variables by the number of their marker. */
  readonly names: readonly string[]
}

/** Creates a marker per secret value, with a unique variable named after it: `API_KEY` for `--api-key`. */
function markSecrets(fields: readonly FormField[], places: SecretPlaces): SecretMarks {
  const secrets = Object.entries(places).map(([key, place]) => ({
    ...{ key, count: valueCount(place), marks: [] as string[] },
    field: fields.find((one) => one.key === key),
  }))
  const isVariable = ({ field }: (typeof secrets)[number]): boolean =>
    field?.target.place === 'environmentVariables'
  const nonce = randomUUID()
  const names: string[] = []
  // An environment variable keeps its own name.
  const ordered = [...secrets.filter(isVariable), ...secrets.filter((one) => !isVariable(one))]
  for (const { field, count, marks } of ordered) {
    const preferred = upperName(field?.machineName) ?? upperName(field?.label) ?? 'SECRET'
    while (marks.length < count) {
      marks.push(`<${nonce}:${String(names.length)}>`)
      let name = preferred
      for (let copy = 2; names.includes(name); copy += 1) name = `${preferred}_${String(copy)}`
      names.push(name)
    }
  }
  return {
    ...{ nonce, names },
    secrets: new Map(secrets.map(({ key, marks }) => [key, joinSecretList(marks)])),
  }
}

function upperName(text: string | undefined): string | undefined {
  const name = (text ?? '')
    .replace(/[^A-Za-z0-9_]+/g, '_')
    .replace(/^[_\d]+|_+$/g, '')
    .toUpperCase()
  return name === '' ? undefined : name
}

/** Replaces the markers in a text with variables. */
function withVariables(text: string, { nonce, names }: SecretMarks): ShellWord {
  // Every second part is a marker's number.
  return text.split(new RegExp(`<${nonce}:(\\d+)>`, 'u')).flatMap((part, index): ShellWord => {
    if (index % 2 === 1) return [{ kind: 'variable', name: names[Number(part)] ?? '' }]
    return part === '' ? [] : [{ kind: 'text', text: part }]
  })
}

/** Formats a remote as JSON with `${NAME}` for each secret. */
function remoteText(
  { type, url, headers }: RemotePlan,
  toWord: (text: string) => ShellWord,
): ShellText {
  const textOf = (value: string): string => wordText(toWord(value), (name) => `\${${name}}`)
  const text = JSON.stringify({
    type,
    url: textOf(url.value),
    headers: Object.fromEntries(headers.map(({ name, value }) => [name, textOf(value)])),
  })
  return { text, variables: variableNames([url, ...headers].map(({ value }) => toWord(value))) }
}
