import type { JSX } from 'react'

import { Tag } from '../../ui/marks/tag'
import { counted } from '../../ui/text/format'
import { PlainText } from '../../ui/text/plain-text'

/** One argument of a tool or prompt, in words. */
export type ShownArgument = {
  readonly name: string
  readonly type?: string
  readonly required: boolean
  readonly description?: string | undefined
  readonly choices?: readonly string[]
}

/** The arguments of a tool or prompt, folded until they are asked for; `open` where they stand for themselves. */
export function ArgumentList(props: {
  readonly args: readonly ShownArgument[]
  readonly open?: boolean
}): JSX.Element {
  const { args, open = false } = props
  if (args.length === 0) return <p className="faint small">No arguments</p>
  const count = counted(args.length, 'argument')
  return (
    <details className="args" open={open}>
      <summary className="bare row gap-2 slim soft small">
        {count}
        <span className="mono faint cut">{args.map(({ name }) => name).join(', ')}</span>
      </summary>
      <dl className="above-1 measure box divided">
        {args.map(({ name, type, required, description, choices = [] }) => (
          <div key={name} className="pad-row stack at-top">
            <dt className="flex wrap at-base gap-2 rows-0 ink break">
              <code>{name}</code>
              {type !== undefined && <span className="faint small cut">{type}</span>}
              {required && <Tag>required</Tag>}
            </dt>
            <dd className="small">
              {description !== undefined && <PlainText text={description} />}
              {choices.length > 0 && (
                <p className="faint">
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
