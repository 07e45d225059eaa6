import { AppError } from '../../../../src-shared/domain/app-error'
import type { ShellKind, ShellText } from '../../../../src-shared/domain/installation/command-text'
import {
  bareCmdWord,
  cmdObstacle,
  cmdWord,
  posixCommand,
  posixWord,
  powershellVariable,
  powershellWord,
  type ShellWord,
  variableNames,
  wordText,
} from './quoted-word'

/** A command with environment and folder, to be written for a shell. */
export type ShellCommand = {
  readonly command: string
  readonly args: readonly ShellWord[]
  readonly env: readonly { readonly name: string; readonly word: ShellWord }[]
  /** Absolute path; absent if the folder makes no difference. */
  readonly cwd?: string | undefined
}

/**
 * Formats a command for pasting into a shell, which then starts the same argv, environment and folder. `variables` lists the variables that
 * replace secrets; the user sets them first. Throws NOT_AVAILABLE_HERE for anything cmd.exe can't express.
 */
export function shellText(shell: ShellKind, command: ShellCommand): ShellText {
  const isLossy = shell === 'powershell' && command.args.some(loses)
  return {
    text: TEXT[shell](command),
    variables: variableNames([...command.args, ...command.env.map(({ word }) => word)]),
    ...(isLossy && { caution: OLD_POWERSHELL }),
  }
}

/** See "$PSNativeCommandArgumentPassing" in "about_Preference_Variables" of PowerShell. */
const OLD_POWERSHELL = 'PowerShell before 7.3 drops double quotes and empty arguments.'

function loses(word: ShellWord): boolean {
  return word.length === 0 || word.some((piece) => piece.kind === 'text' && /^$|"/.test(piece.text))
}

const TEXT: Record<ShellKind, (command: ShellCommand) => string> = {
  posix: posixText,
  powershell: powershellText,
  cmd: cmdText,
  json: ({ command, args }) =>
    JSON.stringify([command, ...args.map((word) => wordText(word, (name) => `\${${name}}`))]),
}

function literal(text: string): ShellWord {
  return [{ kind: 'text', text }]
}

const POSIX_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

function posixText({ command, args, env, cwd }: ShellCommand): string {
  const isPlain = env.every(({ name }) => POSIX_NAME.test(name))
  const assignments = env.map(({ name, word }) =>
    isPlain ? `${name}=${posixWord(word)}` : posixWord([...literal(`${name}=`), ...word]),
  )
  const words = [
    ...(isPlain ? [] : ['env']),
    ...assignments,
    posixCommand(command),
    ...args.map(posixWord),
  ]
  const line = words.join(' ')
  return cwd === undefined ? line : `(cd ${posixWord(literal(cwd))} && ${line})`
}

function powershellText({ command, args, env, cwd }: ShellCommand): string {
  return [
    ...(cwd === undefined ? [] : [`Set-Location -LiteralPath ${powershellWord(literal(cwd))}`]),
    ...env
      .filter(({ name, word }) => !isItself(name, word))
      .map(({ name, word }) => `${powershellVariable(name)} = ${quoted(powershellWord(word))}`),
    ['&', quoted(powershellWord(literal(command))), ...args.map(powershellWord)].join(' '),
  ].join('\n')
}

/** An unquoted word after an assignment would be a command. */
function quoted(word: string): string {
  return /^['"]/.test(word) ? word : `'${word}'`
}

/** Whether a variable's value is the secret that the user sets under the same name. */
function isItself(name: string, [piece, ...more]: ShellWord): boolean {
  return more.length === 0 && piece?.kind === 'variable' && piece.name === name
}

function cmdText({ command, args, env, cwd }: ShellCommand): string {
  const named = [
    { label: 'The command', word: literal(command) },
    ...args.map((word, index) => ({ label: `Argument ${index + 1}`, word })),
    ...env.map(({ name, word }) => ({ label: name, word: [...literal(name), ...word] })),
    { label: 'The folder', word: literal(cwd ?? '') },
  ]
  for (const { label, word } of named) {
    const obstacle = cmdObstacle(word)
    if (obstacle !== undefined)
      throw new AppError(
        'NOT_AVAILABLE_HERE',
        `Nothing was copied: ${label} contains ${obstacle}, which cmd.exe changes.`,
        { hint: 'Copy the command for PowerShell instead.' },
      )
  }
  return [
    ...(cwd === undefined ? [] : [`cd /d ${cmdWord(literal(cwd))}`]),
    ...env
      .filter(({ name, word }) => !isItself(name, word))
      .map(({ name, word }) => `set "${name}=${bareCmdWord(word)}"`),
    [cmdWord(literal(command)), ...args.map(cmdWord)].join(' '),
  ].join(' && ')
}
