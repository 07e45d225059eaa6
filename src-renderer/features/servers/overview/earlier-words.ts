import type { EarlierVersionView } from '../../../../src-shared/domain/installation/earlier-version'

/** What is other in an earlier version, and whether going back to it is enough. */
export function earlierWords({
  differs,
  asksAgain,
}: Pick<EarlierVersionView, 'differs' | 'asksAgain'>): string {
  const news = differs.length === 0 ? 'Runs as it does now.' : `Differs in: ${differs.join(', ')}.`
  return asksAgain ? `${news} Its command has to be approved before it starts.` : news
}
