import type { ReactElement, ReactNode } from 'react'
import { useId } from 'react'

/** What stands together in a section of the settings under a heading; `aside` is at its right. */
export function SettingsBlock({
  title,
  aside,
  children,
}: {
  readonly title: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}): ReactElement {
  const id = useId()
  return (
    <section className="settings-block col gap-4" aria-labelledby={id} data-testid="settings-block">
      <div className="row wrap gap-2">
        <h3 id={id} className="medium grow" tabIndex={-1}>
          {title}
        </h3>
        {aside}
      </div>
      {children}
    </section>
  )
}
