"""The report page: one file that shows a fitted model in any browser, offline."""

from rolearn.report.writing import report_page, write_report

__all__ = ["report_page", "write_report"]
