import unittest
from pathlib import Path

import doc_comments

ROOT = Path(__file__).resolve().parents[2]


class DocCommentTests(unittest.TestCase):
    def problems(self, text):
        return [comment.problem for comment in doc_comments.doc_comments(text)]

    def test_a_question_word_is_a_problem(self):
        for word in ['What', 'Whether', 'Who', 'How', 'Where', 'When', 'Whose']:
            self.assertIn('verb or a noun', self.problems(f'  /// {word} it is.\n  let it = 1\n')[0])

    def test_a_verb_or_a_noun_is_none(self):
        self.assertEqual(self.problems('/// Returns it.\n/// Whether so.\nfunc it() {}\n/// Name of it.\nlet name = 1'),
                         [None, None])

    def test_only_the_summary_has_a_limit(self):
        long = 'Returns ' + 'a ' * 80
        self.assertIn('characters', self.problems(f'/// {long}\nlet it = 1')[0])
        self.assertEqual(self.problems(f'/// Returns it.\n///\n/// {long}\nlet it = 1'), [None])

    def test_the_sources_keep_the_rule(self):
        for folder in ['Sources', 'Tests']:
            self.assertEqual(list(doc_comments.problems(ROOT / folder)), [])


if __name__ == '__main__':
    unittest.main()
