import type { ActivityQuery } from '../../../../src-shared/domain/agents/activity'

/** What of a query says which calls fit. */
export type CallFilter = Partial<Omit<ActivityQuery, 'limit'>>

/** An SQL condition with its values; empty where every call fits. */
export type Where = { readonly sql: string; readonly values: readonly (string | number)[] }

/** The name of the function of the database that makes a text comparable. */
export const FOLD = 'fold'

const SEARCHED = ['target', 'server_name', 'agent_name', 'message', 'arguments'] as const
/** More words than this nobody types. */
const MOST_WORDS = 8

type Part = Where | undefined

/** The condition that calls must meet. Each word of the text must occur somewhere in a call. */
export function whereOf(filter: CallFilter): Where {
  const parts = [
    compared('id <', filter.before),
    compared('id >', filter.after),
    compared('at >=', filter.from),
    compared('at <', filter.to),
    compared('agent_id =', filter.agentId),
    compared('installation_id =', filter.installationId),
    oneOf('outcome', filter.outcomes ?? []),
    ...wordsOf(filter.text ?? '').map(occurs),
  ].filter((part) => part !== undefined)
  if (parts.length === 0) return { sql: '', values: [] }
  return {
    sql: `WHERE ${parts.map(({ sql }) => sql).join(' AND ')}`,
    values: parts.flatMap(({ values }) => values),
  }
}

function compared(sql: string, value: string | number | undefined): Part {
  return value === undefined ? undefined : { sql: `${sql} ?`, values: [value] }
}

function oneOf(column: string, values: readonly string[]): Part {
  if (values.length === 0) return undefined
  return { sql: `${column} IN (${values.map(() => '?').join(', ')})`, values }
}

function wordsOf(text: string): string[] {
  const words = text.split(/\s+/u).filter((word) => word !== '')
  return words.slice(0, MOST_WORDS)
}

function occurs(word: string): Where {
  // LIKE knows the case of ASCII alone, and is several times as quick as a function of our own.
  const isPlain = /^[\x20-\x7E]+$/u.test(word)
  const one = isPlain ? `LIKE ? ESCAPE '\\'` : ''
  const value = isPlain ? `%${word.replace(/[\\%_]/gu, String.raw`\$&`)}%` : word
  const parts = SEARCHED.map((column) =>
    isPlain ? `${column} ${one}` : `instr(${FOLD}(${column}), ${FOLD}(?)) > 0`,
  )
  return { sql: `(${parts.join(' OR ')})`, values: SEARCHED.map(() => value) }
}
