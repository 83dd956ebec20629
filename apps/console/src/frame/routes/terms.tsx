import { createFileRoute } from '@tanstack/react-router';
import { TermsPage } from '../../area/system/legal/pages.tsx';

export const Route = createFileRoute('/terms')({ component: TermsPage });
