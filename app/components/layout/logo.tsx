/** The product's logo and name. The image is decorative, because the name is next to it. */
export function Logo({ name }: { name: string }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-2 font-semibold">
      <img src="/logo.png" alt="" width={28} height={28} className="size-7 shrink-0" />
      <span className="truncate max-[359px]:sr-only">{name}</span>
    </span>
  )
}
