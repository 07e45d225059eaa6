import type { JSX } from 'react'

const WIDTHS = ['44%', '32%', '52%', '38%', '48%', '36%']

/** Rows in the shape of what comes, while it loads; `label` is announced. */
export function Skeleton(props: { readonly label: string; readonly rows?: number }): JSX.Element {
  const { label, rows = 4 } = props
  return (
    <div role="status" aria-label={label} data-testid="skeleton">
      <ul className="bones pad-5 stack gap-4" aria-hidden>
        {Array.from({ length: rows }, (_, row) => (
          <li key={row} className="row gap-3">
            <span className="tile fixed" />
            <div className="stack gap-2 grow">
              <span className="bone" style={{ width: WIDTHS[row % WIDTHS.length] }} />
              <span className="bone" style={{ width: WIDTHS[(row + 2) % WIDTHS.length] }} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}
