/** The members with one more, which stands last, or without it. */
export function withMember<T>(members: Iterable<T>, member: T, isIn: boolean): T[] {
  const others = [...members].filter((one) => one !== member)
  return isIn ? [...others, member] : others
}
