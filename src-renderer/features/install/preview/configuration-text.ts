import type { PhaseBudgets } from '../../../../src-shared/domain/installation/installation'
import type { LaunchPreview } from '../../../../src-shared/domain/installation/launch-plan'
import { formatWhole } from '../../../ui/text/format'

type Pair = { readonly name: string; readonly text: string; readonly secret: boolean }

/** A secret's place in a text that leaves the app: a name to put it in by, never what it is or how long. */
function shownText({ name, text, secret }: Pair): string {
  return secret ? `\${${name}}` : text
}

function pairs(list: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(list.map((pair) => [pair.name, shownText(pair)]))
}

function filled<T extends object>(name: string, value: T): Record<string, T> {
  return Object.keys(value).length === 0 ? {} : { [name]: value }
}

/** What a server is run with as other apps write it in `mcpServers`; where a secret stood is `${NAME}`. */
export function configurationText(name: string, preview: LaunchPreview): string {
  const entry =
    preview.kind === 'remote'
      ? {
          type: preview.type === 'sse' ? 'sse' : 'http',
          url: preview.url.secret ? '${URL}' : preview.url.text,
          ...filled('headers', pairs(preview.headers)),
        }
      : {
          command: preview.command,
          args: preview.args.map(({ text, secret, origin }) =>
            shownText({ name: origin.label.replace(/\W+/gu, '_').toUpperCase(), text, secret }),
          ),
          ...filled('env', pairs(preview.env)),
        }
  return `${JSON.stringify({ mcpServers: { [name]: entry } }, null, 2)}\n`
}

/** The limits that are not the usual ones, as a sentence; empty where all are usual. */
export function limitsWords(budgets: PhaseBudgets): string {
  const parts = [
    ['install', budgets.installMs],
    ['handshake', budgets.handshakeMs],
    ['discover', budgets.discoverMs],
    ['each call', budgets.callMs],
  ] as const
  const words = parts.flatMap(([what, ms]) =>
    ms === undefined ? [] : [`${what} ${formatWhole(ms)}`],
  )
  return words.length === 0 ? '' : `Custom time limits: ${words.join(', ')}.`
}
