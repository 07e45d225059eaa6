import type { JSX } from 'react'

/** The shape of the figures while they are read. */
export function MetricsSkeleton(): JSX.Element {
  return (
    <div role="status" aria-label="Loading metrics" className="figures-bones stack gap-6">
      <span className="bone narrow" aria-hidden />
      <div className="figures stack gap-4" aria-hidden>
        {Array.from({ length: 14 }, (_, place) => (
          <span key={place} className="bone" />
        ))}
      </div>
      <div className="charts stack gap-6" aria-hidden>
        {Array.from({ length: 4 }, (_, place) => (
          <span key={place} className="bone bone-chart" />
        ))}
      </div>
    </div>
  )
}
