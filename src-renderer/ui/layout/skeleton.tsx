import type { JSX } from 'react'

const WIDTHS = ['44%', '32%', '52%', '38%', '48%', '36%']

/** Rows in the shape of what comes, while it loads; `label` is announced. */
export function Skeleton(props: { readonly label: string; readonly rows?: number }): JSX.Element {
  const { label, rows = 4 } = props
  return (
    <div role="status" aria-label={label} data-testid="skeleton">
      <ul className="bones grid gap-4 p-5" aria-hidden>
        {Array.from({ length: rows }, (_, row) => (
          <li key={row} className="flex items-center gap-3">
            <span className="tile flex-none" />
            <div className="grid min-w-0 flex-1 gap-2">
              <span className="bone" style={{ width: WIDTHS[row % WIDTHS.length] }} />
              <span className="bone" style={{ width: WIDTHS[(row + 2) % WIDTHS.length] }} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}
