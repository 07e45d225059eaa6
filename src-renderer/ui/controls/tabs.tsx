import { Tabs as Radix } from 'radix-ui'
import type { JSX, ReactNode } from 'react'

/** A tab; `count` appears next to its label if known. */
export type Tab<T extends string> = {
  readonly id: T
  readonly label: string
  readonly count?: number | undefined
}

/** A row of tabs and the panel of the active one, which fills the space below. */
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
      className="tabbed flex min-h-0 flex-1 flex-col"
      value={value}
      onValueChange={(chosen) => onChange(chosen as T)}
    >
      <Radix.List
        className="tabs flex flex-none gap-4 border-b border-line px-5"
        aria-label={label}
      >
        {tabs.map(({ id, label: name, count }) => (
          <Radix.Trigger
            key={id}
            value={id}
            className="bare flex items-center gap-2 font-medium whitespace-nowrap text-muted"
          >
            {name}
            {count !== undefined && (
              <span className="text-small font-normal text-faint tabular-nums">{count}</span>
            )}
          </Radix.Trigger>
        ))}
      </Radix.List>
      <Radix.Content className="tab-panel flex min-h-0 flex-1 flex-col" value={value} tabIndex={-1}>
        {children}
      </Radix.Content>
    </Radix.Root>
  )
}
