import type { ReactElement, ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { useSearch } from 'wouter'

import { partName, type SettingSection } from '../../../settings-parts/setting-sections'

/** A part of the settings page; `aside` stands under its title. Another page can lead to it. */
export function Section({
  title,
  aside,
  children,
}: {
  readonly title: SettingSection
  readonly aside?: ReactNode
  readonly children: ReactNode
}): ReactElement {
  const isAsked = new URLSearchParams(useSearch()).get('at') === partName(title)
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isAsked) return
    head.current?.scrollIntoView({ block: 'start' })
    head.current?.focus({ preventScroll: true })
  }, [isAsked])
  return (
    <section className="setting-section group stack gap-6" aria-label={title}>
      <div className="col at-top gap-2">
        <h2 ref={head} tabIndex={-1}>
          {title}
        </h2>
        {aside}
      </div>
      <div className="col gap-5">{children}</div>
    </section>
  )
}
