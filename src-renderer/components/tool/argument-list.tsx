import type { JSX } from 'react'

import { Tag } from '../../ui/marks/tag'
import { counted } from '../../ui/text/format'
import { PlainText } from '../../ui/text/plain-text'

/** One argument of a tool or prompt with its labels. */
export type ShownArgument = {
  readonly name: string
  readonly type?: string
  readonly required: boolean
  readonly description?: string | undefined
  readonly choices?: readonly string[]
}

/** The arguments of a tool or prompt, collapsed at first; `open` if they are the only content. */
export function ArgumentList(props: {
  readonly args: readonly ShownArgument[]
  readonly open?: boolean
}): JSX.Element {
  const { args, open = false } = props
  if (args.length === 0) return <p className="text-small text-faint">No arguments</p>
  const count = counted(args.length, 'argument')
  return (
    <details className="args" open={open}>
      <summary className="bare flex min-w-0 items-center gap-2 text-small text-muted">
        {count}
        <span className="mono truncate text-faint">{args.map(({ name }) => name).join(', ')}</span>
      </summary>
      <dl className="mt-1 max-w-text divide-y divide-line rounded-lg border border-line">
        {args.map(({ name, type, required, description, choices = [] }) => (
          <div key={name} className="grid items-start px-3 py-2">
            <dt className="flex flex-wrap items-baseline gap-2 gap-y-0 wrap-anywhere text-foreground">
              <code>{name}</code>
              {type !== undefined && <span className="truncate text-small text-faint">{type}</span>}
              {required && <Tag>required</Tag>}
            </dt>
            <dd className="text-small">
              {description !== undefined && <PlainText text={description} />}
              {choices.length > 0 && (
                <p className="text-faint">
                  One of <code>{choices.join(' · ')}</code>
                </p>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
