/**
 * The product's logo and name. The image is decorative, because the name is next to it. Where there
 * is no room for the name, it wraps to a second line, which is not visible.
 */
export function Logo({ name }: { name: string }) {
  return (
    <span className="inline-flex h-7 max-w-full flex-wrap items-center gap-x-2 overflow-hidden font-semibold">
      <img src="/logo.png" alt="" width={28} height={28} className="size-7 shrink-0" />
      <span>{name}</span>
    </span>
  )
}
