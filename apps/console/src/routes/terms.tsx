import { createFileRoute } from '@tanstack/react-router';
import { TermsPage } from '../legal/pages.tsx';

export const Route = createFileRoute('/terms')({ component: TermsPage });
