import type { ShellText } from '../../../../src-shared/domain/installation/command-text'
import type { FormField } from '../../../../src-shared/form/form-field'
import { joinSecretList } from '../../../../src-shared/form/secret-list'
import type { CommandPlan, RemotePlan } from '../plan/launch-plan'
import type { ShellCommand } from './quoted-text'
import { type ShellPiece, type ShellWord, wordText } from './quoted-word'

/** The texts that stand for the values of each secret in a plan that is made to be copied, by field key. */
export type SecretMarks = ReadonlyMap<string, readonly string[]>

/** Marks for the secret fields, unlike any text because of `nonce`; `counts` holds the number of values by field key. */
export function markSecrets(counts: ReadonlyMap<string, number>, nonce: string): SecretMarks {
  return new Map(
    [...counts].map(([key, count], index) => [
      key,
      Array.from({ length: count }, (_, at) => `<${nonce}:${String(index)}:${String(at)}>`),
    ]),
  )
}

/** The marks as the secrets that a plan is built with. */
export function markedSecrets(marks: SecretMarks): Map<string, string> {
  return new Map([...marks].map(([key, texts]) => [key, joinSecretList(texts)]))
}

/** A plan that was built with marks for its secrets, as a command with variables in their place. */
export function toShellCommand(
  plan: CommandPlan,
  fields: readonly FormField[],
  marks: SecretMarks,
  cwd?: string,
): ShellCommand {
  const variables = variablesOf(fields, marks)
  return {
    command: plan.command,
    args: plan.args.map(({ value }) => toWord(value, variables)),
    env: plan.env.map(({ name, value }) => ({ name, word: toWord(value, variables) })),
    cwd,
  }
}

/** As `toShellCommand`, of a remote: JSON with `${NAME}` for each secret. */
export function remoteText(
  { type, url, headers }: RemotePlan,
  fields: readonly FormField[],
  marks: SecretMarks,
): ShellText {
  const variables = variablesOf(fields, marks)
  const used = new Set<string>()
  const textOf = (value: string): string =>
    wordText(toWord(value, variables), (name) => {
      used.add(name)
      return `\${${name}}`
    })
  const text = JSON.stringify({
    type,
    url: textOf(url.value),
    headers: Object.fromEntries(headers.map(({ name, value }) => [name, textOf(value)])),
  })
  return { text, variables: [...used] }
}

/** Cuts a text at its marks. */
function toWord(text: string, variables: ReadonlyMap<string, string>): ShellWord {
  const pieces: ShellPiece[] = []
  let rest = text
  while (rest !== '') {
    const [next] = [...variables]
      .map(([mark, name]) => ({ mark, name, at: rest.indexOf(mark) }))
      .filter(({ at }) => at >= 0)
      .toSorted((a, b) => a.at - b.at)
    const literal = next === undefined ? rest : rest.slice(0, next.at)
    if (literal !== '') pieces.push({ kind: 'text', text: literal })
    if (next === undefined) break
    pieces.push({ kind: 'variable', name: next.name })
    rest = rest.slice(next.at + next.mark.length)
  }
  return pieces
}

/** A name of a shell variable for each mark: `API_KEY` for `--api-key`, each name once. */
function variablesOf(fields: readonly FormField[], marks: SecretMarks): Map<string, string> {
  const taken = new Set<string>()
  const names = new Map<string, string>()
  const found = [...marks].flatMap(([key, texts]) => {
    const field = fields.find((one) => one.key === key)
    return texts.map((mark) => ({ mark, field }))
  })
  const isVariable = ({ field }: (typeof found)[number]): boolean =>
    field?.target.place === 'environmentVariables'
  // A variable of the environment keeps its own name.
  const ordered = [...found.filter(isVariable), ...found.filter((one) => !isVariable(one))]
  for (const { mark, field } of ordered) {
    const preferred = upperName(field?.machineName) ?? upperName(field?.label) ?? 'SECRET'
    let name = preferred
    for (let copy = 2; taken.has(name); copy += 1) name = `${preferred}_${String(copy)}`
    taken.add(name)
    names.set(mark, name)
  }
  return names
}

function upperName(text: string | undefined): string | undefined {
  const name = (text ?? '')
    .replace(/[^A-Za-z0-9_]+/g, '_')
    .replace(/^[_\d]+|_+$/g, '')
    .toUpperCase()
  return name === '' ? undefined : name
}
