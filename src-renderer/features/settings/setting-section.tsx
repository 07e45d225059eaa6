import type { ReactElement, ReactNode } from 'react'

/** A part of the settings page; `aside` stands under its title. */
export function Section({
  title,
  aside,
  children,
}: {
  readonly title: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}): ReactElement {
  return (
    <section className="setting-section" aria-label={title}>
      <div className="setting-head">
        <h2>{title}</h2>
        {aside}
      </div>
      <div className="setting-fields">{children}</div>
    </section>
  )
}
