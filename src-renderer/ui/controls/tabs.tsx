import { Tabs as Radix } from 'radix-ui'
import type { JSX, ReactNode } from 'react'

/** A tab: `count` stands next to its label when it is known. */
export type Tab<T extends string> = {
  readonly id: T
  readonly label: string
  readonly count?: number | undefined
}

/** A row of tabs and the panel of the chosen one, which fills the space below. */
export function Tabs<T extends string>(props: {
  readonly label: string
  readonly value: T
  readonly onChange: (value: T) => void
  readonly tabs: readonly Tab<T>[]
  readonly children: ReactNode
}): JSX.Element {
  const { label, value, onChange, tabs, children } = props
  return (
    <Radix.Root
      className="tabbed min-h-0 flex-1 flex flex-col"
      value={value}
      onValueChange={(chosen) => onChange(chosen as T)}
    >
      <Radix.List
        className="tabs px-5 flex gap-4 flex-none border-b border-line"
        aria-label={label}
      >
        {tabs.map(({ id, label: name, count }) => (
          <Radix.Trigger
            key={id}
            value={id}
            className="bare flex items-center gap-2 text-muted font-medium whitespace-nowrap"
          >
            {name}
            {count !== undefined && (
              <span className="text-faint tabular-nums font-normal text-small">{count}</span>
            )}
          </Radix.Trigger>
        ))}
      </Radix.List>
      <Radix.Content className="tab-panel min-h-0 flex-1 flex flex-col" value={value} tabIndex={-1}>
        {children}
      </Radix.Content>
    </Radix.Root>
  )
}
