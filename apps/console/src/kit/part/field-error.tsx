import { IconAlertCircle } from '@tabler/icons-react';

/** What is wrong with a field, and how it should be; with a sign beside the colour. */
export function FieldError({ text }: { text: string }) {
  return (
    <>
      <IconAlertCircle size={14} stroke={1.75} aria-hidden style={{ flex: 'none', marginTop: 1 }} />
      <span>{text}</span>
    </>
  );
}
