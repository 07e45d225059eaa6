import type { JSX, ReactNode } from 'react'

/** A part of a side sheet under its own small head. */
export function SheetPart({
  title,
  children,
}: {
  readonly title: string
  readonly children: ReactNode
}): JSX.Element {
  return (
    <section className="sheet-part stack gap-2">
      <h3 className="small medium faint">{title}</h3>
      {children}
    </section>
  )
}
