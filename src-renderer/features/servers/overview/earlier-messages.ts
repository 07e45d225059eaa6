import type { EarlierVersionView } from '../../../../src-shared/domain/installation/earlier-version'

/** What is other in an earlier version, and whether going back to it is enough. */
export function earlierWords({
  differs,
  asksAgain,
}: Pick<EarlierVersionView, 'differs' | 'asksAgain'>): string {
  const news =
    differs.length === 0 ? 'Same configuration as now.' : `Different: ${differs.join(', ')}.`
  return asksAgain ? `${news} Approve the command before the server starts.` : news
}
